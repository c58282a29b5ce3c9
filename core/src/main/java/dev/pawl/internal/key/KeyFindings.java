package dev.pawl.internal.key;

import dev.pawl.admin.Finding;
import dev.pawl.admin.Finding.Level;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.limit.PausedKey;
import java.sql.SQLException;
import java.util.List;

/** Reports paused concurrency keys in one finding: there may be many, such as one for each customer with an outage. */
final class KeyFindings {
    private KeyFindings() {}

    static List<Finding> of(Database database) throws SQLException {
        List<PausedKey> keys = new SqlKeys(database).held();
        if (keys.isEmpty()) {
            return List.of();
        }
        PausedKey first = keys.get(0);
        return List.of(new Finding(
                Level.WARNING,
                "keys",
                "the jobs of " + (keys.size() == 1 ? "a key are" : keys.size() + " keys are")
                        + " paused, such as '" + first.key() + "' of queue " + first.queue() + ": "
                        + first.pause().reason() + "; 'pawl limits --keys' shows them"));
    }
}
