package dev.pawl.specification;

import static dev.pawl.specification.Difference.same;

import java.util.List;

/** A user pauses or resumes all queues. */
record PauseAll(boolean pause) implements Breakable {
    @Override
    public void on(Real real, Model model) {
        real.hasPauses = true;
        if (pause) {
            real.queue.admin().queues().pauseAll();
        } else {
            same(
                    "all queues resumed",
                    model.allPaused,
                    real.queue.admin().queues().resumeAll());
        }
        model.allPaused = pause;
    }

    @Override
    public List<Effect> effects(Real real, Model before, List<Real.Held> runs) {
        return List.of(model -> model.allPaused = pause);
    }

    @Override
    public String toString() {
        return Op.call(pause ? "pauseAll" : "resumeAll");
    }
}
