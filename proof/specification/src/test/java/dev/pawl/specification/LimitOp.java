package dev.pawl.specification;

import dev.pawl.limit.Limit;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** A user changes a limit of a queue or a kind. */
record LimitOp(Does does, About about) implements Breakable {
    /** The target of the limit. */
    @SuppressWarnings("ImmutableEnumChecker") // a record of a string
    enum About {
        KIND_A(Subject.kind("ka")),
        KIND_B(Subject.kind("kb")),
        QUEUE_DEFAULT(Subject.queue("default")),
        QUEUE_B(Subject.queue("b"));

        final Subject subject;

        About(Subject subject) {
            this.subject = subject;
        }

        Limit nothing() {
            return Limit.of(subject);
        }
    }

    /** The change. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    enum Does {
        ONE_AT_ONCE(limit -> limit.atOnce(1)),
        TWO_AT_ONCE(limit -> limit.atOnce(2)),
        TWO_A_MINUTE(limit -> limit.rate(2, Duration.ofMinutes(1))),
        FIVE_AN_HOUR_ONE_AT_ONCE(limit -> limit.rate(5, Duration.ofHours(1)).atOnce(1)),
        REMOVE(limit -> limit),
        PAUSE_1M(limit -> limit),
        RESUME(limit -> limit);

        final UnaryOperator<Limit> sets;

        Does(UnaryOperator<Limit> sets) {
            this.sets = sets;
        }
    }

    @Override
    public void on(Real real, Model model) {
        Subject subject = about.subject;
        real.hasLimits = true;
        switch (does) {
            case REMOVE -> model.limits.remove(subject, real.queue.limits().remove(subject));
            case PAUSE_1M -> {
                real.queue.limits().pause(subject, Duration.ofMinutes(1), "a person wants it");
                model.limits.pause(subject, model.now.plusSeconds(60));
            }
            case RESUME -> model.limits.resume(subject, real.queue.limits().resume(subject));
            default -> {
                Limit limit = does.sets.apply(about.nothing());
                real.queue.limits().set(limit);
                model.limits.set(limit, model.all().filter(Spec::runs).toList());
            }
        }
    }

    @Override
    public List<Effect> effects(Real real, Model before, List<Real.Held> runs) {
        return List.of(model -> {
            switch (does) {
                case REMOVE -> model.limits.remove(about.subject, true);
                case PAUSE_1M -> model.limits.pause(about.subject, model.now.plusSeconds(60));
                case RESUME -> model.limits.resume(about.subject, true);
                default ->
                    model.limits.set(
                            does.sets.apply(about.nothing()),
                            model.all().filter(Spec::runs).toList());
            }
        });
    }

    @Override
    public String toString() {
        return Op.call("limit", does, about);
    }
}
