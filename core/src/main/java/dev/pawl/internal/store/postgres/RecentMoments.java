package dev.pawl.internal.store.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** The moments that were read last, by their text. Used by one thread. */
final class RecentMoments {
    private static final int SIZE = 16;

    private final @Nullable String[] texts = new String[SIZE];
    private final @Nullable Instant[] moments = new Instant[SIZE];

    Instant of(String text, ResultSet row, String column) throws SQLException {
        int place = text.hashCode() & (SIZE - 1);
        Instant known = moments[place];
        if (known != null && text.equals(texts[place])) {
            return known;
        }
        Instant read = row.getObject(column, OffsetDateTime.class).toInstant();
        texts[place] = text;
        moments[place] = read;
        return read;
    }
}
