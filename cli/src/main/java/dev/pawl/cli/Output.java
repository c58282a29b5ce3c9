package dev.pawl.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Prints for people or, with --json, for programs. */
final class Output {
    /** Created lazily, because creating a mapper takes longer than printing a table. */
    private static final class Json {
        static final JsonMapper MAPPER =
                JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
        static final JsonMapper ONE_LINE = JsonMapper.builder().build();
    }

    @Option(names = "--json", description = "Print JSON for programs.")
    private boolean json;

    private @Nullable ShardOutput collected;

    /** Collects in {@code all} what is printed from now on. With null, output is printed again. */
    void collect(@Nullable ShardOutput all) {
        collected = all;
    }

    boolean isJson() {
        return json;
    }

    /** Prints one value as JSON. */
    void json(PrintWriter out, Object value) {
        if (collected != null) {
            collected.json(value);
            return;
        }
        out.println(Json.MAPPER.writeValueAsString(JsonForm.of(value)));
    }

    /** Prints one value as JSON on one line, for continuous output. */
    void jsonLine(PrintWriter out, Object value) {
        out.println(Json.ONE_LINE.writeValueAsString(JsonForm.of(value)));
    }

    /**
     * A table's column.
     *
     * @param head its heading
     * @param right whether it is right-aligned
     * @param whole whether it contains sentences, which are wrapped instead of truncated
     * @param names whether it identifies the row, and so is never truncated
     * @param text of a row
     */
    record Column<T>(String head, boolean right, boolean whole, boolean names, Function<T, @Nullable Object> text) {
        static <T> Column<T> left(String head, Function<T, @Nullable Object> text) {
            return new Column<>(head, false, false, false, text);
        }

        static <T> Column<T> name(String head, Function<T, @Nullable Object> text) {
            return new Column<>(head, false, false, true, text);
        }

        static <T> Column<T> words(String head, Function<T, @Nullable Object> text) {
            return new Column<>(head, false, true, false, text);
        }

        static <T> Column<T> right(String head, Function<T, @Nullable Object> text) {
            return new Column<>(head, true, false, false, text);
        }

        String cell(T row) {
            Object value = text.apply(row);
            return value == null ? "" : TerminalEscapes.line(value.toString());
        }
    }

    /** Prints rows as a table, or as a JSON array. */
    <T> void rows(PrintWriter out, List<T> rows, List<Column<T>> columns, String ifNone) {
        rows(out, rows, columns, row -> row, ifNone);
    }

    /** Prints rows as a table, or as a JSON array of the results of {@code asJson}. */
    <T> void rows(PrintWriter out, List<T> rows, List<Column<T>> columns, Function<T, ?> asJson, String ifNone) {
        if (collected != null) {
            collected.rows(rows, columns, asJson, ifNone);
        } else if (json) {
            json(out, rows.stream().map(asJson).toList());
        } else if (rows.isEmpty()) {
            out.println(ifNone);
        } else {
            Table.lines(rows, columns, width()).forEach(out::println);
        }
    }

    /** Returns the width of the terminal, or no limit if the output goes to a program or a file. */
    private static int width() {
        return Boolean.getBoolean("pawl.screen")
                ? Math.max(40, Integer.getInteger("pawl.columns", 80))
                : Integer.MAX_VALUE;
    }
}
