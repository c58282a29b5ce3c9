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
     * {@return the step's possible effects, given what the database shows; that it had no effect is always possible, and not included}
     *
     * @param real the queue after the failure
     * @param before the model before the step
     * @param runs what the worker ran before the step
     */
    List<Effect> effects(Real real, Model before, List<Real.Held> runs);

    /** {@return whether the step skips a part that has failed, and leaves that part to the next such step} */
    default boolean skipsFailedPart() {
        return false;
    }

    /** {@return whether the effect of the step is invisible, and a repetition of the step gives the intended state} */
    default boolean isRepeatable() {
        return false;
    }
}
