package dev.pawl.specification;

import static dev.pawl.specification.Difference.require;
import static dev.pawl.specification.Difference.same;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Commands for schedules and slots. */
final class ScheduleCommands {
    private ScheduleCommands() {}

    private static List<String> words(Recurrence recurrence) {
        if (recurrence instanceof Recurrence.Rate rate) {
            return List.of("--every", rate.every().toString());
        }
        if (recurrence instanceof Recurrence.Pause pause) {
            return List.of("--after", pause.pause().toString());
        }
        return List.of("--cron", ((Recurrence.ByClock) recurrence).cron().toString());
    }

    /** Adds a schedule. */
    record Add(String name, ScheduleOps.When when, ScheduleOps.Policy policy, List<Opt> options) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            EnqueueOptions all = EnqueueOptions.DEFAULTS;
            for (Opt opt : options) {
                all = opt.on(all);
            }
            Schedule<Integer> schedule = Schedule.of(name, ScheduleOps.KA, 1, when.recurrence)
                    .options(all)
                    .missed(policy.missed)
                    .overlap(policy.overlap);
            List<String> words = new ArrayList<>(List.of("add", "schedule", name, "ka", "1"));
            words.addAll(words(when.recurrence));
            words.addAll(List.of("--missed", Integer.toString(policy.missed.most())));
            words.addAll(List.of("--overlap", Pawl.word(policy.overlap)));
            words.addAll(List.of("--queue", all.queue(), "--priority", Integer.toString(all.priority())));
            words.addAll(List.of("--max-attempts", Integer.toString(all.maxAttempts())));
            Optional<Pawl.Said> said = pawl.runUnlessRefused(words);
            said.ifPresent(each -> require(each.isDone(), "%s: it is not added", each));
            model.schedules.add(schedule, "1", said.isPresent(), model.now);
        }

        @Override
        public String toString() {
            return Op.call("pawlScheduleAdd", name, when, policy, options);
        }
    }

    /** Changes a schedule. */
    record Change(ScheduleOps.Does does, String name) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            switch (does) {
                case REMOVE ->
                    model.schedules.remove(
                            name, pawl.run("remove", "schedule", name).isDone());
                case PAUSE -> {
                    Pawl.Said said = pawl.run("pause", "schedule", name);
                    model.schedules.pause(name, isChanged(pawl, said, " is paused"));
                    same("schedule " + name + " is there", model.schedules.has(name), said.isDone());
                }
                case RESUME -> {
                    Pawl.Said said = pawl.run("resume", "schedule", name);
                    model.schedules.resume(name, isChanged(pawl, said, " runs again"), model.now);
                    same("schedule " + name + " is there", model.schedules.has(name), said.isDone());
                }
                case RUN_NOW -> {
                    Pawl.Said said = pawl.run("run", "schedule", name);
                    Optional<EnqueueResult> result = run(pawl, said);
                    model.schedules.runNow(model, name, result, real.listed());
                    same("exit code of " + said, result.isPresent() && isInserted(result.get()), said.isDone());
                }
            }
        }

        private static boolean isInserted(EnqueueResult result) {
            return result instanceof EnqueueResult.Inserted;
        }

        private static boolean isChanged(Pawl pawl, Pawl.Said said, String words) {
            return said.isDone()
                    && (pawl.isJson()
                            ? said.json().get("changed").asBoolean()
                            : said.out().contains(words));
        }

        private static Optional<EnqueueResult> run(Pawl pawl, Pawl.Said said) {
            if (said.err().contains("there is no schedule")) {
                return Optional.empty();
            }
            long id = pawl.isJson() ? said.json().get("jobId").asLong() : Long.parseLong(said.find("job (\\d+)"));
            boolean inserted = pawl.isJson()
                    ? said.json().get("result").asString().equals("inserted")
                    : said.out().matches("job \\d+ is enqueued\\s*");
            return Optional.of(inserted ? new EnqueueResult.Inserted(id) : new EnqueueResult.Duplicate(id));
        }

        @Override
        public String toString() {
            return Op.call("pawlSchedule", does, name);
        }
    }

    /** Changes the times of a schedule. */
    record ChangeTimes(String name, ScheduleOps.When when) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            List<String> words = new ArrayList<>(List.of("change", "schedule", name));
            words.addAll(words(when.recurrence));
            model.schedules.change(name, when.recurrence, pawl.run(words).isDone(), model.now);
        }

        @Override
        public String toString() {
            return Op.call("pawlChangeTimes", name, when);
        }
    }

    /** Frees a slot whose owner is gone. */
    record FreeSlot(int slot) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            if (real.slots.isEmpty()) {
                return;
            }
            SlotOps.Owned owned = real.slots.get(slot % real.slots.size());
            String series = owned.slot().series();
            long number = owned.slot().number();
            Pawl.Said said = pawl.run("free", "slot", series, Long.toString(number));
            model.slots.free(series, number, isDone(pawl, said, "freed", "is freed"));
        }

        @Override
        public String toString() {
            return Op.call("pawlFreeSlot", slot);
        }
    }

    /** Deletes a series. */
    record FlushSlots(String series) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            Pawl.Said said = pawl.run("flush", "series", series, series);
            model.slots.flush(series, isDone(pawl, said, "flushed", "is deleted"));
        }

        @Override
        public String toString() {
            return Op.call("pawlFlushSlots", series);
        }
    }

    private static boolean isDone(Pawl pawl, Pawl.Said said, String name, String words) {
        if (said.err().contains("there is no series")) {
            return false;
        }
        boolean done =
                pawl.isJson() ? said.json().get(name).asBoolean() : said.out().contains(words);
        same("exit code of " + said, done, said.isDone());
        return done;
    }
}
