package dev.pawl.specification;

import java.util.List;

/** A step that knows what it may have done when one of its calls to the database has failed. */
public interface Breakable extends Op {
    /** What a model may be told. */
    @FunctionalInterface
    interface Effect {
        /** Tells it. */
        void on(Model model);
    }

    /**
     * {@return all that it can have done, other than nothing, as the database shows it}
     *
     * @param real the queue after it was broken off
     * @param before as it was before the step
     * @param runs what the worker ran before the step
     */
    List<Effect> effects(Real real, Model before, List<Real.Held> runs);

    /** {@return whether it goes on without what has failed, and leaves it to the next time} */
    default boolean goesOn() {
        return false;
    }

    /** {@return whether nobody sees if it was done, and it is as it was to be when it is done again} */
    default boolean isSaidAgain() {
        return false;
    }
}
