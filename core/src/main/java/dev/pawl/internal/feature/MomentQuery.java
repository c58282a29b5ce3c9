package dev.pawl.internal.feature;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.store.WorkSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * Builds the statement that reads the next moment at which each source has work. Values are bound in the order of the placeholders, so call
 * {@link #value} and {@link #in} in this order, before the call of {@link #add} that uses them.
 */
public final class MomentQuery {
    private final Dialect dialect;
    private final Worker worker;
    private final String now;
    private final List<String> terms = new ArrayList<>();
    private final List<String> values = new ArrayList<>();

    /**
     * The worker whose moments are read.
     *
     * @param queues of the worker
     * @param kinds that it handles
     * @param keyed those of its queues that may contain jobs with concurrency keys
     * @param declared schedules that its program knows
     */
    public record Worker(
            Collection<String> queues,
            Collection<String> kinds,
            Collection<String> keyed,
            Collection<String> declared) {}

    /**
     * @param dialect of the database
     * @param worker whose moments are read
     */
    public MomentQuery(Dialect dialect, Worker worker) {
        this.dialect = dialect;
        this.worker = worker;
        this.now = dialect.micros(dialect.now());
    }

    /** {@return the dialect of the database} */
    public Dialect dialect() {
        return dialect;
    }

    /** {@return the worker whose moments are read} */
    public Worker worker() {
        return worker;
    }

    /** {@return the SQL of the current time, in microseconds} */
    public String now() {
        return now;
    }

    /**
     * Adds a term. The earliest non-null moment of a source wins.
     *
     * @param source of the work
     * @param moment in SQL, in microseconds: an aggregate, or a query in brackets
     * @param from the rest of the query, from FROM; may be empty
     */
    public void add(WorkSource source, String moment, String from) {
        terms.add("SELECT '" + source.name() + "', " + now + ", " + moment + " " + from);
    }

    /** {@return the placeholder of a value} */
    public String value(String value) {
        values.add(value);
        return "?";
    }

    /** Binds values for placeholders that the caller has written into the term. */
    public void bind(Collection<String> more) {
        values.addAll(more);
    }

    /** {@return a list of placeholders, in brackets} */
    public String in(Collection<String> names) {
        values.addAll(names);
        return "(" + String.join(",", Collections.nCopies(names.size(), "?")) + ")";
    }

    /** {@return the statement: each row has the source, the current time and its next moment} */
    public String sql() {
        return String.join(" UNION ALL ", terms);
    }

    /** {@return the values of the placeholders} */
    public Object[] values() {
        return values.toArray();
    }
}
