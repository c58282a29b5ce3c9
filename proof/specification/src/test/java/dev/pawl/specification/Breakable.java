package dev.pawl.specification;

import java.util.List;

/** A step that knows its possible effects after one of its database calls has failed. */
public interface Breakable extends Op {
    /** A change of the model. */
    @FunctionalInterface
    interface Effect {
        /** Applies the change. */
        void on(Model model);
    }

    /**
     * {@return its possible effects, other than none, given what the database shows}
     *
     * @param real the queue after the failure
     * @param before the model before the step
     * @param runs what the worker ran before the step
     */
    List<Effect> effects(Real real, Model before, List<Real.Held> runs);

    /** {@return whether it skips a part that has failed, and leaves it to its next run} */
    default boolean skipsFailedPart() {
        return false;
    }

    /** {@return whether its effect is invisible, and repeating it gives the intended state} */
    default boolean isRepeatable() {
        return false;
    }
}
