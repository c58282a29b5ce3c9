package dev.pawl.internal.jdbc;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of a queue's tables. Statements are written with tables named {@code pawl_…}, so that they can be read and
 * tried out unchanged; here they get the configured prefix and the schema. Because every statement names the schema,
 * the search path and the current database of a connection do not matter. Thread-safe.
 */
public final class TableNames {
    private static final String USUAL = "pawl_";

    /**
     * Everything that is looked up by name: tables, the sequence of ids and the SQL function for enqueueing, but not indexes and
     * constraints.
     */
    private static final Set<String> NAMES = Set.of(
            "assignment",
            "attempt",
            "batch",
            "batch_count",
            "batch_job",
            "batch_pause",
            "edge",
            "enqueue",
            "job",
            "job_history",
            "job_ids",
            "job_log",
            "key",
            "keyed",
            "lane",
            "lane_fence",
            "lane_job",
            "lane_range",
            "leader",
            "limit",
            "node",
            "permit",
            "queue",
            "remote_worker",
            "result",
            "retention",
            "sample",
            "schedule",
            "schema",
            "slot",
            "slot_series",
            "stack",
            "step",
            "tick",
            "unique",
            "worker");

    /** Partitions, and tables that are being replaced. */
    private static final Pattern PARTS = Pattern.compile(
            "job_part\\d+_\\d+|job_history_(completed|cancelled|discarded)(_\\w+)?|job_old|job_history_old");

    private static final List<String> TAKE_NAMES = List.of(
            "to_regclass(", "nextval(", "setval(", "pg_get_serial_sequence(", "has_sequence_privilege(", "hashtext(");

    /** Limit of the cache, because some statements contain values, and so have many forms. */
    private static final int MAX_KEPT = 4096;

    private final String prefix;
    private final @Nullable SchemaName schema;
    private final boolean isPostgres;
    private final Map<String, String> named = new ConcurrentHashMap<>();

    private TableNames(String prefix, @Nullable SchemaName schema, boolean isPostgres) {
        this.prefix = prefix;
        this.schema = schema;
        this.isPostgres = isPostgres;
    }

    /** {@return names with a prefix, in the schema in which the connection finds them} */
    public static TableNames prefixed(String prefix) {
        return new TableNames(prefix, null, false);
    }

    /**
     * {@return names in a schema of PostgreSQL} Names of indexes, and names in texts such as the argument of {@code to_regclass}, also get
     * the schema.
     */
    public static TableNames onPostgres(String prefix, SchemaName schema) {
        return new TableNames(prefix, schema, true);
    }

    /** {@return names in a database of MySQL or MariaDB} */
    public static TableNames onMySql(String prefix, SchemaName schema) {
        return new TableNames(prefix, schema, false);
    }

    String prefix() {
        return prefix;
    }

    @Nullable
    SchemaName schema() {
        return schema;
    }

    /** {@return the statement with the actual names} */
    String in(String statement) {
        if (schema == null) {
            return prefix.equals(USUAL) ? statement : statement.replace(USUAL, prefix);
        }
        String known = named.get(statement);
        if (known != null) {
            return known;
        }
        String text = qualified(statement, schema);
        if (named.size() < MAX_KEPT) {
            named.put(statement, text);
        }
        return text;
    }

    private String qualified(String statement, SchemaName in) {
        StringBuilder text = new StringBuilder(statement.length() + 64);
        int copied = 0;
        for (int at = statement.indexOf(USUAL); at >= 0; at = statement.indexOf(USUAL, copied)) {
            int end = at + USUAL.length();
            while (end < statement.length() && isPartOfName(statement.charAt(end))) {
                end++;
            }
            String name = statement.substring(at + USUAL.length(), end);
            text.append(statement, copied, at);
            copied = end;
            if (isSchema(statement, end, name)) {
                text.append(statement, at, end);
                continue;
            }
            if (isLookedUp(statement, at, name)) {
                text.append(in.quoted()).append('.');
            }
            text.append(prefix).append(name);
        }
        text.append(statement, copied, statement.length());
        return isPostgres ? text.toString() : text.toString().replace("DATABASE()", "'" + in.name() + "'");
    }

    /** {@return whether the name is a schema that qualifies another name, in a part of a statement whose names are replaced already} */
    private static boolean isSchema(String statement, int end, String name) {
        boolean isQuoted = end < statement.length() && "`\"".indexOf(statement.charAt(end)) >= 0;
        return statement.startsWith(".", isQuoted ? end + 1 : end) && !isTable(name);
    }

    private static boolean isTable(String name) {
        return NAMES.contains(name) || PARTS.matcher(name).matches();
    }

    private boolean isLookedUp(String statement, int at, String name) {
        char before = at == 0 ? ' ' : statement.charAt(at - 1);
        if (isPartOfName(before) || before == '.' || before == '@') {
            return false;
        }
        if (isPostgres && (follows(statement, at, "DROP INDEX ") || follows(statement, at, "ALTER INDEX "))) {
            return true;
        }
        return isTable(name)
                && (before != '\'' || (isPostgres && isTextOfName(statement, at, at + USUAL.length() + name.length())))
                && !follows(statement, at, "RENAME TO ")
                && !follows(statement, at, "INDEX("); // a hint
    }

    /** {@return whether a text is a name that the server looks up, and not one that is compared with names in a catalog} */
    private static boolean isTextOfName(String statement, int from, int to) {
        return statement.startsWith("'::regclass", to)
                || statement.startsWith("' AS regclass", to)
                || TAKE_NAMES.stream().anyMatch(function -> follows(statement, from - 1, function));
    }

    private static boolean follows(String statement, int at, String words) {
        return statement.regionMatches(true, at - words.length(), words, 0, words.length());
    }

    private static boolean isPartOfName(char letter) {
        return letter == '_' || Character.isLetterOrDigit(letter);
    }
}
