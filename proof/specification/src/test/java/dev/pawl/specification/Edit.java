package dev.pawl.specification;

import dev.pawl.admin.JobEdit;
import java.time.Instant;

/** What a user changes about one job. */
public enum Edit {
    PRIORITY,
    PAYLOAD,
    LATER,
    NOW;

    JobEdit at(Instant now) {
        return switch (this) {
            case PRIORITY -> JobEdit.NOTHING.priority(3);
            case PAYLOAD -> JobEdit.NOTHING.payload("3");
            case LATER -> JobEdit.NOTHING.availableAt(now.plusSeconds(60));
            case NOW -> JobEdit.NOTHING.availableAt(now);
        };
    }
}
