package dev.pawl.specification;

import static dev.pawl.specification.Difference.same;

import dev.pawl.admin.RetryResult;
import dev.pawl.api.JobStep;
import dev.pawl.api.LeaseLostException;
import dev.pawl.api.Signal;
import dev.pawl.api.SignalResult;
import dev.pawl.internal.engine.StepWorker;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Steps of jobs that keep state between runs: see {@link dev.pawl.api.RunSteps}. */
final class StepOps {
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Signal<String> GO = Signal.of("go", String.class);

    private StepOps() {}

    /** What a handler does. */
    enum Takes {
        STEP_ONE,
        STEP_TWO,
        STEP_IN_TRANSACTION,
        AWAIT_GO,
        SLEEP_1M
    }

    /** A handler takes one step. */
    record Take(int run, Takes what) implements Breakable {
        @Override
        public void on(Real real, Model model) throws SQLException {
            if (real.runs.isEmpty()) {
                return;
            }
            Real.Held held = real.runs.get(run % real.runs.size());
            long id = held.run().job().id();
            boolean isHeld = model.isHeld(id, held.claim());
            if (!held.worker().takes(held.run(), what.name())) {
                return; // a run takes each step only once
            }
            real.withSteps.add(id);
            String made = Long.toString(held.claim());
            try {
                switch (what) {
                    case STEP_ONE, STEP_TWO, STEP_IN_TRANSACTION -> {
                        String value = what == Takes.STEP_IN_TRANSACTION
                                ? held.worker().stepInTransaction(held.run(), what.name(), made)
                                : held.worker().step(held.run(), what.name(), made);
                        if (isHeld) {
                            model.steps.step(id, what.name(), "\"" + made + "\"", "\"" + value + "\"");
                        } else {
                            same("value of a step without a lease", model.steps.value(id, step()), "\"" + value + "\"");
                        }
                    }
                    case AWAIT_GO -> {
                        StepWorker.Awaited awaited = held.worker().await(held.run(), GO, LONGEST);
                        waited(real, model, held, isHeld, awaited.isSuspended(), awaited.value());
                    }
                    case SLEEP_1M -> {
                        boolean suspended = held.worker().sleep(held.run(), what.name(), LONGEST);
                        waited(real, model, held, isHeld, suspended, null);
                    }
                }
            } catch (LeaseLostException lost) {
                if (isHeld) {
                    throw lost;
                }
            }
        }

        @Override
        public List<Effect> effects(Real real, Model before, List<Real.Held> runs) {
            if (runs.isEmpty()) {
                return List.of();
            }
            Real.Held held = runs.get(run % runs.size());
            long id = held.run().job().id();
            if (!before.isHeld(id, held.claim())) {
                return List.of();
            }
            String made = "\"" + held.claim() + "\"";
            return switch (what) {
                case STEP_ONE, STEP_TWO, STEP_IN_TRANSACTION ->
                    List.of(model -> model.steps.step(id, what.name(), made, made));
                case AWAIT_GO, SLEEP_1M ->
                    List.of(model -> {
                        Instant until = model.steps.waitFor(id, step(), LONGEST, model.now);
                        if (until != null) {
                            model.suspended(id, until);
                        }
                    });
            };
        }

        private ModelSteps.Name step() {
            return switch (what) {
                case AWAIT_GO -> new ModelSteps.Name(JobStep.Kind.SIGNAL, GO.name());
                case SLEEP_1M -> new ModelSteps.Name(JobStep.Kind.SLEEP, what.name());
                default -> new ModelSteps.Name(JobStep.Kind.STEP, what.name());
            };
        }

        private void waited(
                Real real, Model model, Real.Held held, boolean isHeld, boolean suspended, @Nullable String value) {
            long id = held.run().job().id();
            if (!isHeld) {
                same("job without a lease waits", false, suspended);
                return;
            }
            Instant until = model.steps.waitFor(id, step(), LONGEST, model.now);
            same("job " + id + " waits", until != null, suspended);
            if (until != null) {
                real.runs.remove(held);
                model.suspended(id, until);
            } else {
                same("signal", model.steps.value(id, step()), value == null ? null : "\"" + value + "\"");
            }
        }

        @Override
        public String toString() {
            return Op.call("take", run, what);
        }
    }

    /** A job is sent a signal that it may wait for. */
    record SendSignal(int job) implements Breakable {
        @Override
        public void on(Real real, Model model) {
            OptionalLong id = model.place(job);
            if (id.isPresent()) {
                long one = id.getAsLong();
                real.withSteps.add(one);
                String value = model.now.toString();
                model.signal(one, GO.name(), "\"" + value + "\"", real.queue.signal(one, GO, value));
            }
        }

        @Override
        public List<Effect> effects(Real real, Model before, List<Real.Held> runs) {
            return before.place(job).stream()
                    .<Effect>mapToObj(one ->
                            model -> model.signal(one, GO.name(), "\"" + model.now + "\"", SignalResult.DELIVERED))
                    .toList();
        }

        @Override
        public String toString() {
            return Op.call("sendSignal", job);
        }
    }

    /** A user retries a job from one of its steps. */
    record RetryFrom(int job, Takes step) implements Breakable {
        @Override
        public void on(Real real, Model model) {
            OptionalLong id = model.place(job);
            if (id.isEmpty()) {
                return;
            }
            String name = name();
            real.withSteps.add(id.getAsLong());
            boolean has = model.steps.has(id.getAsLong(), name);
            try {
                RetryResult result = real.queue.admin().jobs().retry(id.getAsLong(), name);
                model.people.retry(id.getAsLong(), result);
                if (result == RetryResult.AVAILABLE_NOW) {
                    same("job " + id + " has step " + name, has, true);
                    model.steps.forget(id.getAsLong(), name);
                }
            } catch (IllegalArgumentException refused) {
                same(Objects.toString(refused.getMessage()), false, has);
            }
        }

        private String name() {
            return step == Takes.AWAIT_GO ? GO.name() : step.name();
        }

        @Override
        public List<Effect> effects(Real real, Model before, List<Real.Held> runs) {
            return before.place(job).stream()
                    .<Effect>mapToObj(one -> model -> {
                        model.people.retry(one, RetryResult.AVAILABLE_NOW);
                        model.steps.forget(one, name());
                    })
                    .toList();
        }

        @Override
        public String toString() {
            return Op.call("retryFrom", job, step);
        }
    }
}
