package dev.pawl.specification;

import dev.pawl.admin.JobChange;
import java.time.Instant;

/** What a user does to all matching jobs. */
public enum Change {
    CANCEL,
    RETRY,
    DELETE,
    ERASE,
    PRIORITIZE,
    MOVE_TO_B,
    RESCHEDULE_1M,
    RESCHEDULE_NOW;

    JobChange at(Instant now) {
        return switch (this) {
            case CANCEL -> new JobChange.Cancel();
            case RETRY -> new JobChange.Retry();
            case DELETE -> new JobChange.Delete();
            case ERASE -> new JobChange.Erase();
            case PRIORITIZE -> new JobChange.Prioritize(-2);
            case MOVE_TO_B -> new JobChange.Move("b");
            case RESCHEDULE_1M -> new JobChange.Reschedule(now.plusSeconds(60));
            case RESCHEDULE_NOW -> new JobChange.Reschedule(now);
        };
    }
}
