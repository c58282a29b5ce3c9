package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Limits;
import dev.pawl.Schedules;
import dev.pawl.Slots;
import dev.pawl.admin.Admin;
import dev.pawl.admin.Choice;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobEdit;
import dev.pawl.admin.JobFilter;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.limit.Subject;
import dev.pawl.schedule.Recurrence;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** User-provided text that a database would not store or compare unchanged is refused before it gets there. */
interface TextContract extends Contract {
    /** A NUL, which PostgreSQL refuses, and half of a surrogate pair, which all drivers turn into a question mark. */
    List<String> UNFIT = List.of("a\0b", "cut \ud83d");

    private static void refused(String text, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text.contains("\0") ? "NUL" : "surrogate");
    }

    @Test
    default void theReasonOfAPauseIsChecked() {
        Limits limits = fixture().queue.limits();
        for (String reason : UNFIT) {
            refused(reason, () -> limits.pause(Subject.queue("default"), Duration.ofHours(1), reason));
            refused(reason, () -> limits.pause(new ConcurrencyKey("default", "k"), Duration.ofHours(1), reason));
        }
        String longest = "€".repeat(16_384);
        for (String reason : List.of(longest + "€", "x".repeat(100_000))) {
            assertThatThrownBy(() -> limits.pause(Subject.queue("default"), Duration.ofHours(1), reason))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("16384");
            assertThatThrownBy(() -> limits.pause(new ConcurrencyKey("default", "k"), Duration.ofHours(1), reason))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("16384");
        }
        assertThat(limits.list()).isEmpty();
        assertThat(limits.pausedKeys()).isEmpty();
        limits.pause(Subject.queue("default"), Duration.ofHours(1), longest);
        limits.pause(new ConcurrencyKey("default", "k"), Duration.ofHours(1), longest);
        assertThat(Objects.requireNonNull(limits.list().get(0).pause()).reason())
                .isEqualTo(longest);
        assertThat(limits.pausedKeys().get(0).pause().reason()).isEqualTo(longest);
    }

    @Test
    default void textWrittenToAJobIsChecked() {
        long id = fixture().enqueue();
        for (String text : UNFIT) {
            refused(text, () -> fixture().admin.jobs().edit(id, JobEdit.NOTHING.priority(1), text));
            refused(text, () -> fixture().admin.jobs().signal(id, "answer", text));
            refused(text, () -> fixture().admin.jobs().retry(id, text));
        }
        assertThat(fixture().job(id).priority()).isZero();
    }

    @Test
    default void searchTextIsChecked() {
        for (String text : UNFIT) {
            for (JobFilter filter : List.of(
                    JobFilter.ALL.text(text),
                    JobFilter.ALL.tag(text),
                    JobFilter.ALL.key(text),
                    JobFilter.ALL.uniqueKey(text),
                    JobFilter.ALL.queue(text),
                    JobFilter.ALL.kinds(Choice.<String>all().without(List.of(text))))) {
                refused(text, () -> fixture().admin.jobs().list(filter));
                refused(text, () -> fixture().admin.jobs().page(filter));
                refused(
                        text,
                        () -> fixture()
                                .admin
                                .jobs()
                                .count(filter, new JobChange.Cancel(), Admin.NO_TIMEOUT)
                                .jobs());
                refused(text, () -> fixture().admin.jobs().countNewest(filter, new JobChange.Cancel(), 10));
                refused(text, () -> fixture().admin.jobs().changeAll(filter, new JobChange.Cancel(), done -> {}));
            }
            refused(text, () -> fixture().admin.runs().failures(text, null, Admin.UNLIMITED));
            refused(text, () -> fixture().admin.runs().failures(null, text, 10));
        }
    }

    @Test
    default void namesAreChecked() {
        Schedules schedules = fixture().queue.schedules();
        Slots slots = fixture().queue.slots();
        for (String text : UNFIT) {
            refused(text, () -> schedules.runNow(text));
            refused(text, () -> schedules.pause(text));
            refused(text, () -> schedules.resume(text));
            refused(text, () -> schedules.change(text, Recurrence.every(Duration.ofHours(1))));
            refused(text, () -> schedules.remove(text));
            refused(text, () -> schedules.ticks(text, 1));
            refused(text, () -> slots.gaps(text, 1));
            refused(text, () -> slots.free("numbers", text));
            refused(text, () -> slots.flush(text));
        }
    }
}
