package dev.pawl.admin;

import dev.pawl.InvalidJobException;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which values of something are wanted: one of some, or all but some, or one of some but none of others. Immutable.
 *
 * @param any one of these; empty for any value
 * @param none and none of these; empty to exclude nothing
 * @param <T> what is chosen from
 */
public record Choice<T>(Set<T> any, Set<T> none) {
    /** How many values may be named on each side. */
    public static final int MOST = 50;

    /**
     * Copies the sets, and keeps their order.
     *
     * @throws InvalidJobException if there are more than {@link #MOST} on one side
     */
    public Choice {
        if (any.size() > MOST || none.size() > MOST) {
            throw new InvalidJobException(
                    "a filter names at most " + MOST + " values of one kind, not " + Math.max(any.size(), none.size()));
        }
        any = Collections.unmodifiableSet(new LinkedHashSet<>(any));
        none = Collections.unmodifiableSet(new LinkedHashSet<>(none));
    }

    /**
     * @param <T> what is chosen from
     * @return a choice that everything fits
     */
    public static <T> Choice<T> all() {
        return new Choice<>(Set.of(), Set.of());
    }

    /**
     * @param values one of these; none for any value
     * @param <T> what is chosen from
     * @return the choice
     */
    public static <T> Choice<T> of(List<T> values) {
        return new Choice<>(new LinkedHashSet<>(values), Set.of());
    }

    /**
     * @param values none of these, besides what is excluded so far
     * @return a copy
     */
    public Choice<T> without(List<T> values) {
        Set<T> all = new LinkedHashSet<>(none);
        all.addAll(values);
        return new Choice<>(any, all);
    }

    /** {@return whether everything fits} */
    public boolean isAll() {
        return any.isEmpty() && none.isEmpty();
    }

    /**
     * @param value to look at
     * @return whether it fits
     */
    public boolean fits(T value) {
        return (any.isEmpty() || any.contains(value)) && !none.contains(value);
    }

    /**
     * @param value to look at
     * @return whether it fits because it is named, not only because it is not excluded
     */
    public boolean names(T value) {
        return any.contains(value) && !none.contains(value);
    }
}
