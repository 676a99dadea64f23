//! Tables of text with aligned columns.

/// Rows under a header; the first column is aligned to the left, the others, which are numbers, to the right.
pub(crate) fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    aligned(header, rows, 1)
}

/// Rows under a header; the first columns, as many as `words`, are aligned to the left, the others to the right.
pub(crate) fn aligned(header: &[&str], rows: &[Vec<String>], words: usize) -> String {
    let mut widths: Vec<usize> = header.iter().map(|cell| cell.chars().count()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let header: Vec<String> = header.iter().map(|&cell| cell.into()).collect();
    std::iter::once(&header)
        .chain(rows)
        .map(|row| line(row, &widths, words))
        .collect()
}

fn line(row: &[String], widths: &[usize], words: usize) -> String {
    let cells: Vec<String> = row
        .iter()
        .zip(widths)
        .enumerate()
        .map(|(index, (cell, &width))| {
            if index < words {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            }
        })
        .collect();
    format!("{}\n", cells.join("  ").trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [
            vec!["a".to_owned(), "1".to_owned()],
            vec!["long".to_owned(), "1000".to_owned()],
        ];
        assert_eq!(
            table(&["name", "n"], &rows),
            "name     n\na        1\nlong  1000\n"
        );
    }
}
