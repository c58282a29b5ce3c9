package dev.pawl.cli;

import dev.pawl.cli.Output.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A text table, narrowed to a width if possible: long texts are truncated, names are not, and sentences are wrapped.
 * Confined to one thread.
 */
final class Table {
    private static final Pattern MOMENT = Pattern.compile("\\d{4}-(\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d) [+-]\\d{4}");
    private static final String GAP = "  ";
    /** Minimum width of a truncated text. */
    private static final int SHORTEST = 8;
    /** Minimum width of a sentence beside other columns. If they leave less and cannot be narrowed, it goes on separate lines. */
    private static final int SENTENCE = 24;

    private static final String INDENT = "    ";

    private final List<? extends Column<?>> columns;
    /** The first row contains the headings. */
    private final List<String[]> cells = new ArrayList<>();
    /** The visible columns. */
    private final List<Integer> shown;
    /** The column with sentences; -1 if there is none, or all fit. */
    private int sentences = -1;
    /** Maximum line length of a sentence. */
    private int most = Integer.MAX_VALUE;
    /** Whether sentences are on separate lines. */
    private boolean isBelow;

    private <T> Table(List<T> rows, List<Column<T>> columns) {
        this.columns = columns;
        this.shown = new ArrayList<>(IntStream.range(0, columns.size()).boxed().toList());
        cells.add(columns.stream().map(Column::head).toArray(String[]::new));
        rows.forEach(row ->
                cells.add(columns.stream().map(column -> column.cell(row)).toArray(String[]::new)));
    }

    /**
     * {@return the lines}
     *
     * @param width the maximum width. To fit it, moments lose their year and offset, empty columns are omitted, long texts are truncated,
     *     and sentences are wrapped
     */
    static <T> List<String> lines(List<T> rows, List<Column<T>> columns, int width) {
        Table table = new Table(rows, columns);
        table.fit(width);
        int[] widths = IntStream.range(0, columns.size()).map(table::width).toArray();
        List<String> lines = new ArrayList<>();
        for (int row = 0; row < table.cells.size(); row++) {
            lines.addAll(table.lines(table.cells.get(row), widths, row == 0));
        }
        return lines;
    }

    private void fit(int width) {
        if (total() <= width) {
            return;
        }
        Set<Integer> whole = IntStream.range(0, columns.size())
                .filter(i -> columns.get(i).right()
                        || columns.get(i).whole()
                        || columns.get(i).names()
                        || hasMoments(i))
                .boxed()
                .collect(Collectors.toSet());
        cells.forEach(row -> Arrays.setAll(row, i -> MOMENT.matcher(row[i]).replaceAll("$1")));
        for (int i = columns.size() - 1; i >= 0 && total() > width; i--) {
            if (isEmpty(i)) {
                shown.remove(Integer.valueOf(i));
            }
        }
        for (int column : shown) {
            if (columns.get(column).whole() && total() > width) {
                wrap(column, width);
            }
        }
        while (total() > width) {
            int widest = widestText(whole);
            if (widest < 0) {
                return;
            }
            cut(widest, Math.max(SHORTEST, Math.max(head(widest), width(widest) - (total() - width))));
        }
    }

    private void wrap(int column, int width) {
        sentences = column;
        if (shown.size() == 1) {
            most = width;
            return;
        }
        int rest = width - (total() - width(column));
        isBelow = rest < SENTENCE && hasOnlyNames(column);
        most = isBelow ? width - INDENT.length() : Math.max(SENTENCE, rest);
    }

    /** Returns whether no other column can be narrowed. */
    private boolean hasOnlyNames(int sentence) {
        return shown.stream()
                .allMatch(i -> i == sentence
                        || columns.get(i).right()
                        || columns.get(i).names()
                        || hasMoments(i));
    }

    /** {@return the lines of a sentence; a word longer than a line is kept whole} */
    private List<String> wrapped(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.strip().split("\\s+", -1)) {
            if (line.length() > 0 && line.length() + 1 + word.length() > most) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private boolean hasMoments(int column) {
        return cells.stream().anyMatch(row -> MOMENT.matcher(row[column]).find());
    }

    private boolean isEmpty(int column) {
        return cells.stream().skip(1).allMatch(row -> row[column].isEmpty() || row[column].equals("0"));
    }

    /** {@return the column with the longest text that can be truncated; -1 if there is none} */
    private int widestText(Set<Integer> whole) {
        int widest = -1;
        for (int column : shown) {
            if (!whole.contains(column)
                    && width(column) > Math.max(SHORTEST, head(column))
                    && (widest < 0 || width(column) > width(widest))) {
                widest = column;
            }
        }
        return widest;
    }

    private void cut(int column, int most) {
        for (String[] row : cells) {
            row[column] = Texts.truncated(row[column], most);
        }
    }

    private int head(int column) {
        return cells.get(0)[column].length();
    }

    private int width(int column) {
        if (column == sentences && isBelow) {
            return 0;
        }
        if (column == sentences) {
            return cells.stream()
                    .flatMap(row -> wrapped(row[column]).stream())
                    .mapToInt(String::length)
                    .max()
                    .orElse(0);
        }
        return cells.stream().mapToInt(row -> row[column].length()).max().orElse(0);
    }

    private int total() {
        return shown.stream().mapToInt(this::width).sum() + GAP.length() * (shown.size() - 1);
    }

    private List<String> lines(String[] row, int[] widths, boolean isHead) {
        if (sentences < 0) {
            return List.of(line(row, widths));
        }
        List<String> sentence = wrapped(row[sentences]);
        List<String> lines = new ArrayList<>();
        String[] first = row.clone();
        first[sentences] = isBelow ? "" : sentence.get(0);
        lines.add(line(first, widths));
        if (isBelow) {
            if (!isHead && !row[sentences].isBlank()) {
                sentence.forEach(each -> lines.add(INDENT + each));
            }
            return lines;
        }
        for (String each : sentence.subList(1, sentence.size())) {
            String[] next = new String[row.length];
            Arrays.fill(next, "");
            next[sentences] = each;
            lines.add(line(next, widths));
        }
        return lines;
    }

    private String line(String[] row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column : shown) {
            String pad = " ".repeat(widths[column] - row[column].length());
            line.append(columns.get(column).right() ? pad + row[column] : row[column] + pad)
                    .append(GAP);
        }
        return line.toString().stripTrailing();
    }
}
