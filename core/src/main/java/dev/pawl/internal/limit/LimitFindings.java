package dev.pawl.internal.limit;

import dev.pawl.admin.Finding;
import dev.pawl.admin.Finding.Level;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Pause;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reports paused queues and kinds. */
final class LimitFindings {
    private LimitFindings() {}

    static List<Finding> of(Database database) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        for (LimitInfo info : new SqlLimits(database).list()) {
            Pause pause = info.pause();
            if (pause != null) {
                findings.add(new Finding(
                        Level.WARNING,
                        info.limit().subject().toString(),
                        "its jobs are paused until " + pause.until() + ", and then tried one at a time: "
                                + pause.reason() + "; 'pawl resume "
                                + info.limit().subject().of().word() + " "
                                + info.limit().subject().name() + "' resumes them at once"));
            }
        }
        return findings;
    }
}
