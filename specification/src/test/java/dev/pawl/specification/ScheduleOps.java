package dev.pawl.specification;

import dev.pawl.EnqueueOptions;
import dev.pawl.EnqueueResult;
import dev.pawl.JobType;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Steps that concern schedules. */
final class ScheduleOps {
    static final JobType<Integer> KA = JobType.of("ka", Integer.class);

    private ScheduleOps() {}

    /** When. */
    @SuppressWarnings("ImmutableEnumChecker") // recurrences cannot be changed
    enum When {
        EVERY_MINUTE(Recurrence.every(Duration.ofMinutes(1))),
        EVERY_HOUR(Recurrence.every(Duration.ofHours(1))),
        AFTER_10S(Recurrence.after(Duration.ofSeconds(10))),
        AT_3(Recurrence.cron("0 3 * * *"));

        final Recurrence recurrence;

        When(Recurrence recurrence) {
            this.recurrence = recurrence;
        }
    }

    /** Which ticks get jobs. */
    @SuppressWarnings("ImmutableEnumChecker") // records of numbers
    enum Policy {
        ONCE_SKIP(Missed.ONCE, Overlap.SKIP),
        SKIP_SKIP(Missed.SKIP, Overlap.SKIP),
        ONCE_QUEUE(Missed.ONCE, Overlap.QUEUE),
        SKIP_QUEUE(Missed.SKIP, Overlap.QUEUE),
        ONCE_ALLOW(Missed.ONCE, Overlap.ALLOW),
        THREE_ALLOW(Missed.all(3), Overlap.ALLOW);

        final Missed missed;
        final Overlap overlap;

        Policy(Missed missed, Overlap overlap) {
            this.missed = missed;
            this.overlap = overlap;
        }
    }

    /** Adds a schedule. */
    record Add(String name, When when, Policy policy, List<Opt> options) implements Op {
        @Override
        public void on(Real real, Model model) {
            EnqueueOptions all = EnqueueOptions.DEFAULTS;
            for (Opt opt : options) {
                all = opt.on(all);
            }
            Schedule<Integer> schedule = Schedule.of(name, KA, 1, when.recurrence)
                    .options(all)
                    .missed(policy.missed)
                    .overlap(policy.overlap);
            model.schedules.add(schedule, "1", real.queue.schedules().add(schedule), model.now);
        }

        @Override
        public String toString() {
            return "new ScheduleOps.Add(\"" + name + "\", " + when + ", " + policy + ", " + options + ")";
        }
    }

    /** What a person does. */
    enum Does {
        REMOVE,
        PAUSE,
        RESUME,
        RUN_NOW
    }

    /** A person changes a schedule. */
    record Change(Does does, String name) implements Op {
        @Override
        public void on(Real real, Model model) {
            switch (does) {
                case REMOVE ->
                    model.schedules.remove(name, real.queue.schedules().remove(name));
                case PAUSE -> model.schedules.pause(name, real.queue.schedules().pause(name));
                case RESUME ->
                    model.schedules.resume(name, real.queue.schedules().resume(name), model.now);
                case RUN_NOW -> {
                    Optional<EnqueueResult> result = real.queue.schedules().runNow(name);
                    model.schedules.runNow(model, name, result, real.listed());
                }
            }
        }

        @Override
        public String toString() {
            return Op.call("schedule", does, name);
        }
    }

    /** A person gives a schedule other times. */
    record ChangeTimes(String name, When when) implements Op {
        @Override
        public void on(Real real, Model model) {
            boolean done = real.queue.schedules().change(name, when.recurrence);
            model.schedules.change(name, when.recurrence, done, model.now);
        }

        @Override
        public String toString() {
            return Op.call("changeTimes", name, when);
        }
    }

    /** A worker looks for ticks that are due. */
    record Look() implements Op {
        @Override
        public void on(Real real, Model model) throws SQLException {
            real.worker.tick();
            if (model.schedules.any()) {
                model.schedules.tick(model, real.listed());
            }
        }

        @Override
        public String toString() {
            return Op.call("tick");
        }
    }
}
