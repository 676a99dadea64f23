//! Events of frames in words: what goes on for many frames is told once and then counted.

/// The kinds of events of a run so far. Events that differ in their numbers only are of one kind.
#[derive(Debug, Default)]
pub(crate) struct Events {
    kinds: Vec<Kind>,
}

#[derive(Debug)]
struct Kind {
    words: String,
    /// The one of them with the largest number, and its frame.
    worst: (u32, String),
    /// The largest number that was told.
    told: f64,
    largest: f64,
    count: u32,
    frames: (u32, u32),
}

impl Events {
    /// Takes note of an event; whether it is worth telling: the first of its kind, or twice as bad as what was told.
    pub(crate) fn note(&mut self, frame: u32, event: &str) -> bool {
        let (words, number) = (without_numbers(event), first_number(event));
        let Some(kind) = self.kinds.iter_mut().find(|kind| kind.words == words) else {
            self.kinds.push(Kind {
                words,
                worst: (frame, event.to_owned()),
                told: number,
                largest: number,
                count: 1,
                frames: (frame, frame),
            });
            return true;
        };
        kind.count += 1;
        kind.frames.1 = frame;
        if number > kind.largest {
            kind.largest = number;
            kind.worst = (frame, event.to_owned());
        }
        let is_worth_telling = number >= 2.0 * kind.told && number > 0.0;
        if is_worth_telling {
            kind.told = number;
        }
        is_worth_telling
    }

    /// A line for each kind: the worst of its events, and how often they came.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        self.kinds.iter().map(|kind| {
            let (frame, event) = &kind.worst;
            let (first, last) = kind.frames;
            match kind.count {
                1 => format!("frame {frame}: {event}"),
                times => {
                    format!("frame {frame}: {event} ({times} times, in frames {first} to {last})")
                }
            }
        })
    }

    /// The lines of those that came more than once.
    pub(crate) fn repeated(&self) -> impl Iterator<Item = String> {
        let kinds = self.kinds.iter().zip(self.lines());
        kinds
            .filter(|(kind, _)| kind.count > 1)
            .map(|(_, line)| line)
    }
}

fn is_number(word: &str) -> bool {
    word.contains(|letter: char| letter.is_ascii_digit())
}

/// An event's words alone.
fn without_numbers(event: &str) -> String {
    let words = event.split_whitespace();
    let words = words.map(|word| if is_number(word) { "#" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// The first number of an event, which tells how bad it is; zero if there is none.
fn first_number(event: &str) -> f64 {
    let mut numbers = event
        .split_whitespace()
        .filter_map(|word| word.parse().ok());
    numbers.next().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_that_goes_on_is_told_when_it_doubles_and_counted() {
        let mut events = Events::default();
        let mut note = |frame, share, word| {
            events.note(frame, &format!("the liquid has {share} % {word} volume"))
        };
        assert!(note(3, "1.2", "more"));
        assert!(!note(4, "2.3", "more"));
        assert!(note(4, "12.5", "less"));
        assert!(note(5, "2.4", "more"));
        assert!(!note(9, "2.0", "more"));
        let lines: Vec<String> = events.lines().collect();
        assert_eq!(
            lines,
            [
                "frame 5: the liquid has 2.4 % more volume (4 times, in frames 3 to 9)",
                "frame 4: the liquid has 12.5 % less volume",
            ]
        );
        assert_eq!(events.repeated().count(), 1);
        assert!(events.note(9, "no number at all") && !events.note(10, "no number at all"));
    }
}
