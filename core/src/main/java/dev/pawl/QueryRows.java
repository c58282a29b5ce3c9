package dev.pawl;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.jdbc.Fault;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Iterates once over the rows of a query as jobs: kind and payload. */
final class QueryRows implements Iterable<JobRequest> {
    private final ResultSet rows;
    private final EnqueueOptions options;

    QueryRows(ResultSet rows, EnqueueOptions options) throws SQLException {
        int columns = rows.getMetaData().getColumnCount();
        if (columns != 2) {
            throw new InvalidJobException("the query has " + (columns == 1 ? "one column" : columns + " columns")
                    + ": select the kind and the payload; everything else comes from the options");
        }
        this.rows = rows;
        this.options = options;
    }

    @Override
    public Iterator<JobRequest> iterator() {
        return new Iterator<>() {
            private boolean read;
            private boolean hasNext;

            @Override
            public boolean hasNext() {
                if (!read) {
                    hasNext = read(rows::next);
                    read = true;
                }
                return hasNext;
            }

            @Override
            public JobRequest next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                read = false;
                return read(QueryRows.this::job);
            }
        };
    }

    private JobRequest job() throws SQLException {
        String kind = rows.getString(1);
        String payload = rows.getString(2);
        if (kind == null || payload == null) {
            throw new InvalidJobException("row " + rows.getRow() + " of the query has no kind, or no payload");
        }
        return new JobRequest(kind, payload, options);
    }

    private interface Read<T> {
        T read() throws SQLException;
    }

    private static <T> T read(Read<T> what) {
        try {
            return what.read();
        } catch (SQLException e) {
            throw new DatabaseException(
                    "cannot read the rows of the query", e, Fault.of(e).isTransient());
        }
    }
}
