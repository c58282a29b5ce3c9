package dev.pawl.specification;

import static dev.pawl.specification.Difference.same;

/** A person stops claims from all queues, or ends that. */
record PauseAll(boolean pause) implements Op {
    @Override
    public void on(Real real, Model model) {
        if (pause) {
            real.queue.admin().pauseAll();
        } else {
            same("all queues resumed", model.allPaused, real.queue.admin().resumeAll());
        }
        model.allPaused = pause;
        same("all queues are paused", pause, real.queue.admin().allPausedSince().isPresent());
    }

    @Override
    public String toString() {
        return Op.call(pause ? "pauseAll" : "resumeAll");
    }
}
