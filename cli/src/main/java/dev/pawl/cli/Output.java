package dev.pawl.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Prints for people or, with --json, for programs. */
final class Output {
    /** Created only when needed: that takes longer than printing a table. */
    private static final class Json {
        static final JsonMapper MAPPER =
                JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
        static final JsonMapper ONE_LINE = JsonMapper.builder().build();
    }

    @Option(names = "--json", description = "Print JSON for programs.")
    private boolean json;

    boolean isJson() {
        return json;
    }

    /** Prints one value as JSON. */
    void json(PrintWriter out, Object value) {
        out.println(Json.MAPPER.writeValueAsString(value));
    }

    /** Prints one value as JSON on one line, for what goes on. */
    void jsonLine(PrintWriter out, Object value) {
        out.println(Json.ONE_LINE.writeValueAsString(value));
    }

    /**
     * A table's column.
     *
     * @param head its heading
     * @param right whether it is aligned to the right
     * @param text of a row
     */
    record Column<T>(String head, boolean right, Function<T, @Nullable Object> text) {
        static <T> Column<T> left(String head, Function<T, @Nullable Object> text) {
            return new Column<>(head, false, text);
        }

        static <T> Column<T> right(String head, Function<T, @Nullable Object> text) {
            return new Column<>(head, true, text);
        }

        private String cell(T row) {
            Object value = text.apply(row);
            return value == null ? "" : value.toString();
        }
    }

    /** Prints rows as a table, or as a JSON array of what {@code asJson} makes of them. */
    <T> void rows(PrintWriter out, List<T> rows, List<Column<T>> columns, Function<T, Object> asJson, String ifNone) {
        if (json) {
            json(out, rows.stream().map(asJson).toList());
        } else if (rows.isEmpty()) {
            out.println(ifNone);
        } else {
            table(out, rows, columns);
        }
    }

    private static <T> void table(PrintWriter out, List<T> rows, List<Column<T>> columns) {
        Map<Column<T>, Integer> widths = new LinkedHashMap<>();
        for (Column<T> column : columns) {
            int width = rows.stream()
                    .mapToInt(row -> column.cell(row).length())
                    .max()
                    .orElse(0);
            widths.put(column, Math.max(width, column.head.length()));
        }
        out.println(line(columns, widths, Column::head));
        for (T row : rows) {
            out.println(line(columns, widths, column -> column.cell(row)));
        }
    }

    private static <T> String line(
            List<Column<T>> columns, Map<Column<T>, Integer> widths, Function<Column<T>, String> text) {
        StringBuilder line = new StringBuilder();
        for (Column<T> column : columns) {
            String cell = text.apply(column);
            String pad = " ".repeat(widths.getOrDefault(column, 0) - cell.length());
            line.append(column.right ? pad + cell : cell + pad).append("  ");
        }
        return line.toString().stripTrailing();
    }
}
