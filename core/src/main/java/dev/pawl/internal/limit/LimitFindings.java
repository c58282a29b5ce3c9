package dev.pawl.internal.limit;

import dev.pawl.admin.Finding;
import dev.pawl.admin.Finding.Level;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.limit.Hold;
import dev.pawl.limit.LimitInfo;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reports paused queues and kinds. */
final class LimitFindings {
    private LimitFindings() {}

    static List<Finding> of(Database database) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        for (LimitInfo info : new SqlLimits(database).list()) {
            Hold hold = info.hold();
            if (hold != null) {
                findings.add(new Finding(
                        Level.WARNING,
                        info.limit().subject().toString(),
                        "its jobs are paused until " + hold.until() + ", and then tried one at a time: "
                                + hold.reason() + "; 'pawl resume "
                                + info.limit().subject().of().word() + " "
                                + info.limit().subject().name() + "' resumes them at once"));
            }
        }
        return findings;
    }
}
