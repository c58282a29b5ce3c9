package dev.pawl.internal.limit;

import dev.pawl.admin.WaitReason;
import dev.pawl.internal.feature.WaitingJob;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Finds out why a job waits for the limits of its queue and kind. */
final class LimitReasons {
    private LimitReasons() {}

    static List<WaitReason> of(WaitingJob waiting) throws SQLException {
        List<WaitReason> reasons = new ArrayList<>();
        Subject queue = Subject.queue(waiting.job().queue());
        Subject kind = Subject.kind(waiting.job().kind());
        for (LimitInfo info : new SqlLimits(waiting.database()).list()) {
            Subject subject = info.limit().subject();
            if (subject.equals(queue) || subject.equals(kind)) {
                reasons.addAll(WaitReason.ofLimit(info));
            }
        }
        return reasons;
    }
}
