package dev.pawl.specification.faults;

import dev.pawl.api.Job;
import dev.pawl.specification.Difference;
import dev.pawl.specification.Model;
import dev.pawl.specification.Op;
import dev.pawl.specification.Real;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out from the database what a step with a failed call has done: it must be nothing, or all effects of the step. The model adopts
 * that; anything else means that the step was half done.
 */
final class FailedStep {
    private final Real real;
    private final Model model;
    private final List<Real.Held> runs;
    private final Set<Real.Held> heldBefore = new HashSet<>();
    private final Map<Long, Job> listed;

    /** A possible effect. */
    interface Guess {
        void on(Model model) throws SQLException;
    }

    private FailedStep(Real real, Model model, List<Real.Held> runs) {
        this.real = real;
        this.model = model;
        this.runs = runs;
        this.listed = real.listed();
        runs.stream().filter(this::isHeld).forEach(heldBefore::add);
    }

    /**
     * @param step that has failed
     * @param model as it was before the step
     * @param done the model after the step; null if the step did not finish
     * @param runs what the worker ran before the step
     */
    static void settle(Op step, Real real, Model model, @Nullable Model done, List<Real.Held> runs)
            throws SQLException {
        new FailedStep(real, model, runs).settle(step, done);
    }

    private void settle(Op step, @Nullable Model done) throws SQLException {
        Difference nothing = why(each -> {});
        if (nothing == null) {
            take(each -> {});
            restoreRuns();
            return;
        }
        if (done != null && why(done.copy(), each -> {}) == null) {
            model.becomes(done);
            take(each -> {});
            return;
        }
        Difference all = nothing;
        for (Guess guess : new Guesses(real, model, runs, listed).of(step)) {
            all = why(guess);
            if (all == null) {
                take(guess);
                restoreRuns();
                return;
            }
        }
        throw new Difference("half of " + step + " was done; if it were nothing: " + nothing.getMessage()
                + "; if it were all: " + all.getMessage());
    }

    private @Nullable Difference why(Guess guess) throws SQLException {
        return why(model.copy(), guess);
    }

    private @Nullable Difference why(Model copy, Guess guess) throws SQLException {
        try {
            guess.on(copy);
            copy.compare(listed);
            real.compareBatches(copy);
            real.compareRest(copy);
            return null;
        } catch (Difference difference) {
            return difference;
        }
    }

    private void take(Guess guess) throws SQLException {
        guess.on(model);
        model.compare(listed);
        real.compareBatches(model);
    }

    /** The worker keeps the runs whose outcomes were not recorded, so that they are reported again. */
    private void restoreRuns() {
        real.runs.clear();
        for (Real.Held held : runs) {
            if (!heldBefore.contains(held) || isHeld(held)) {
                real.runs.add(held);
            }
        }
    }

    private boolean isHeld(Real.Held held) {
        return model.isHeld(held.run().job().id(), held.claim());
    }
}
