package dev.pawl.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.WaitReason.Cause;
import dev.pawl.limit.Limit;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Pause;
import dev.pawl.limit.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitReasonTest {
    /** By the clock of this machine, which may be fast. */
    private static final Instant PAST = Instant.parse("2001-01-31T08:00:00Z");

    private static final Limit LIMIT = Limit.kind("mail").rate(new Rate(1, Duration.ofHours(1)));

    @Test
    void timesAreComparedByTheDatabasesClockOnly() {
        assertThat(WaitReason.ofLimit(new LimitInfo(LIMIT, 0, 1, 1, PAST, null)))
                .containsExactly(new WaitReason(Cause.RATE, "the rate of kind mail is used up", PAST, "mail"));
        Pause held = new Pause(PAST, false, 0, "no disk");
        assertThat(reasons(held))
                .containsExactly(new WaitReason(Cause.OUTAGE, "kind mail is paused: no disk", PAST, "mail"));
        Pause tried = new Pause(Instant.parse("2999-01-31T08:00:00Z"), true, 1, "no disk");
        assertThat(reasons(tried))
                .containsExactly(new WaitReason(
                        Cause.OUTAGE,
                        "kind mail was paused and is tried with one job at a time: no disk",
                        null,
                        "mail"));
    }

    private static List<WaitReason> reasons(Pause pause) {
        return WaitReason.ofLimit(new LimitInfo(Limit.kind("mail"), 0, 0, 0, null, pause));
    }
}
