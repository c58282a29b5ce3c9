package dev.pawl.specification;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobType;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Steps that concern schedules. */
final class ScheduleOps {
    static final JobType<Integer> KA = JobType.of("ka", Integer.class);

    private ScheduleOps() {}

    /** The times of a schedule. */
    @SuppressWarnings("ImmutableEnumChecker") // recurrences are immutable
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
    record Add(String name, When when, Policy policy, List<Opt> options) implements Breakable {
        private Schedule<Integer> schedule() {
            EnqueueOptions all = EnqueueOptions.DEFAULTS;
            for (Opt opt : options) {
                all = opt.on(all);
            }
            return Schedule.of(name, KA, 1, when.recurrence)
                    .options(all)
                    .missed(policy.missed)
                    .overlap(policy.overlap);
        }

        @Override
        public void on(Real real, Model model) {
            real.hasSchedules = true;
            Schedule<Integer> schedule = schedule();
            model.schedules.add(schedule, "1", real.queue.schedules().add(schedule), model.now);
        }

        @Override
        public List<Effect> effects(Real real, Model before, List<Real.Held> runs) {
            return List.of(model -> model.schedules.add(schedule(), "1", true, model.now));
        }

        @Override
        public String toString() {
            return "new ScheduleOps.Add(\"" + name + "\", " + when + ", " + policy + ", " + options + ")";
        }
    }

    /** A user's change. */
    enum Does {
        REMOVE,
        PAUSE,
        RESUME,
        RUN_NOW
    }

    /** A user changes a schedule. */
    record Change(Does does, String name) implements Breakable {
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
        public List<Effect> effects(Real real, Model before, List<Real.Held> runs) {
            return List.of(model -> {
                switch (does) {
                    case REMOVE -> model.schedules.remove(name, true);
                    case PAUSE -> model.schedules.pause(name, true);
                    case RESUME -> model.schedules.resume(name, true, model.now);
                    case RUN_NOW -> model.schedules.ranNow(model, name, real.listed());
                }
            });
        }

        @Override
        public String toString() {
            return Op.call("schedule", does, name);
        }
    }

    /** A user changes the times of a schedule. */
    record ChangeTimes(String name, When when) implements Breakable {
        @Override
        public void on(Real real, Model model) {
            boolean done = real.queue.schedules().change(name, when.recurrence);
            model.schedules.change(name, when.recurrence, done, model.now);
        }

        @Override
        public List<Effect> effects(Real real, Model before, List<Real.Held> runs) {
            return List.of(model -> model.schedules.change(name, when.recurrence, true, model.now));
        }

        @Override
        public String toString() {
            return Op.call("changeTimes", name, when);
        }
    }

    /** A worker processes due ticks. */
    record ProcessTicks() implements Breakable {
        @Override
        public void on(Real real, Model model) throws SQLException {
            real.worker.tick();
            if (model.schedules.any()) {
                model.schedules.tick(model, real.listed(), any -> true);
            }
        }

        /** Each schedule is processed in its own transaction. */
        @Override
        public List<Effect> effects(Real real, Model before, List<Real.Held> runs) {
            Map<Long, Job> listed = real.listed();
            return subsets(before.schedules.due(before.now)).stream()
                    .<Effect>map(some -> model -> model.schedules.tick(model, listed, some::contains))
                    .toList();
        }

        private static List<Set<String>> subsets(Set<String> names) {
            List<Set<String>> subsets = new ArrayList<>(List.of(Set.of()));
            for (String name : names) {
                for (Set<String> each : List.copyOf(subsets)) {
                    Set<String> more = new HashSet<>(each);
                    more.add(name);
                    subsets.add(more);
                }
            }
            return subsets.subList(1, subsets.size());
        }

        /** The other schedules may succeed. */
        @Override
        public boolean skipsFailedPart() {
            return true;
        }

        @Override
        public String toString() {
            return Op.call("tick");
        }
    }
}
