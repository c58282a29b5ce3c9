package dev.pawl.specification;

import dev.pawl.admin.RetentionRule;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A user sets the retention of a queue or a kind. */
public record RetentionOp(About about, Keeps keeps) implements Breakable {
    /** The target of the rule. */
    @SuppressWarnings("ImmutableEnumChecker") // a record of a string
    public enum About {
        KIND_A(Subject.kind("ka")),
        KIND_B(Subject.kind("kb")),
        QUEUE_B(Subject.queue("b"));

        final Subject subject;

        About(Subject subject) {
            this.subject = subject;
        }
    }

    /** The duration. */
    @SuppressWarnings("ImmutableEnumChecker") // durations are immutable
    public enum Keeps {
        COMPLETED_NOT(Duration.ZERO, null, null),
        COMPLETED_30_DAYS(Duration.ofDays(30), null, null),
        OTHERS_AN_HOUR(null, Duration.ofHours(1), Duration.ofHours(1)),
        AS_ALL(null, null, null);

        final @Nullable Duration completed;
        final @Nullable Duration cancelled;
        final @Nullable Duration discarded;

        Keeps(@Nullable Duration completed, @Nullable Duration cancelled, @Nullable Duration discarded) {
            this.completed = completed;
            this.cancelled = cancelled;
            this.discarded = discarded;
        }
    }

    @Override
    public void on(Real real, Model model) {
        real.hasRetentions = true;
        if (keeps == Keeps.AS_ALL) {
            model.retention.clear(
                    about.subject, real.queue.admin().maintenance().clearRetention(about.subject));
        } else {
            real.queue.admin().maintenance().setRetention(rule());
            model.retention.set(rule());
        }
    }

    @Override
    public List<Effect> effects(Real real, Model before, List<Real.Held> runs) {
        return List.of(model -> {
            if (keeps == Keeps.AS_ALL) {
                model.retention.clear(about.subject, true);
            } else {
                model.retention.set(rule());
            }
        });
    }

    private RetentionRule rule() {
        return new RetentionRule(about.subject, keeps.completed, keeps.cancelled, keeps.discarded);
    }

    @Override
    public String toString() {
        return "new RetentionOp(" + about + ", " + keeps + ")";
    }
}
