package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.name;

import dev.pawl.cli.Output.Column;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what a command prints for each of several shards: tables with a column of the shard, other lines with its name in front,
 * and JSON as one array, whose objects have the member {@code shard}. Confined to one thread.
 */
final class ShardOutput {
    private final boolean json;
    private final Map<List<String>, Tables> tables = new LinkedHashMap<>();
    private final List<String> lines = new ArrayList<>();
    private final List<@Nullable Object> values = new ArrayList<>();
    private String shard = "";
    private StringWriter text = new StringWriter();

    /**
     * A row of a table, and its shard.
     *
     * @param cells by column
     */
    private record Row(String shard, List<String> cells) {}

    /** Rows below the same headings. */
    private static final class Tables {
        private final List<Column<Row>> columns = new ArrayList<>();
        private final List<Row> rows = new ArrayList<>();
        private final String ifNone;

        Tables(List<? extends Column<?>> of, String ifNone) {
            this.ifNone = ifNone;
            columns.add(name("SHARD", Row::shard));
            for (int i = 0; i < of.size(); i++) {
                int place = i;
                Column<?> one = of.get(i);
                columns.add(
                        new Column<>(one.head(), one.right(), one.whole(), one.names(), row -> row.cells.get(place)));
            }
        }
    }

    ShardOutput(boolean json) {
        this.json = json;
    }

    /** Attributes the output that follows to a shard. */
    void begin(String next) {
        endLines();
        shard = next;
    }

    /** {@return where to print lines} */
    PrintWriter lines() {
        return new EscapedWriter(new PrintWriter(text, true));
    }

    private void endLines() {
        text.toString().lines().filter(line -> !line.isBlank()).forEach(line -> lines.add(shard + ": " + line));
        text = new StringWriter();
    }

    <T> void rows(List<T> rows, List<Column<T>> of, Function<T, ?> asJson, String ifNone) {
        if (json) {
            json(rows.stream().map(asJson).toList());
            return;
        }
        Tables table = tables.computeIfAbsent(of.stream().map(Column::head).toList(), heads -> new Tables(of, ifNone));
        for (T row : rows) {
            table.rows.add(
                    new Row(shard, of.stream().map(column -> column.cell(row)).toList()));
        }
    }

    void json(Object value) {
        Object form = JsonForm.of(value);
        if (form instanceof List<?> list) {
            list.forEach(each -> values.add(withShard(each)));
        } else {
            values.add(withShard(form));
        }
    }

    private @Nullable Object withShard(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> object)) {
            return value;
        }
        Map<String, @Nullable Object> fields = JsonForm.object("shard", shard);
        object.forEach((member, each) -> fields.put(String.valueOf(member), each));
        return fields;
    }

    /** Prints everything. */
    void print(PrintWriter out, Output output) {
        endLines();
        if (json) {
            output.json(out, values);
            return;
        }
        boolean isFirst = true;
        for (Tables table : tables.values()) {
            if (!isFirst) {
                out.println();
            }
            isFirst = false;
            output.rows(out, table.rows, table.columns, table.ifNone);
        }
        lines.forEach(out::println);
    }
}
