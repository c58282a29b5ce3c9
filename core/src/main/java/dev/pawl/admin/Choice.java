package dev.pawl.admin;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A condition on a value: that it is one of the accepted values, that it is none of the excluded values, or both. Immutable.
 *
 * @param any the accepted values; empty to accept all
 * @param none the excluded values; empty to exclude none
 * @param <T> the type of the values
 */
public record Choice<T>(Set<T> any, Set<T> none) {
    /** The maximum number of values on each side. */
    public static final int MAX = 50;

    /**
     * Copies the sets in their order.
     *
     * @throws IllegalArgumentException if one side has more than {@link #MAX} values
     */
    public Choice {
        if (any.size() > MAX || none.size() > MAX) {
            throw new IllegalArgumentException(
                    "a filter names at most " + MAX + " values of one kind, not " + Math.max(any.size(), none.size()));
        }
        any = Collections.unmodifiableSet(new LinkedHashSet<>(any));
        none = Collections.unmodifiableSet(new LinkedHashSet<>(none));
    }

    /**
     * Returns a choice that accepts every value.
     *
     * @param <T> the type of the values
     * @return the choice
     */
    public static <T> Choice<T> all() {
        return new Choice<>(Set.of(), Set.of());
    }

    /**
     * Returns a choice that accepts these values.
     *
     * @param values the accepted values; empty to accept all
     * @param <T> the type of the values
     * @return the choice
     */
    public static <T> Choice<T> of(List<T> values) {
        return new Choice<>(new LinkedHashSet<>(values), Set.of());
    }

    /**
     * Excludes more values.
     *
     * @param values the excluded values, in addition to earlier ones
     * @return a copy
     */
    public Choice<T> without(List<T> values) {
        Set<T> all = new LinkedHashSet<>(none);
        all.addAll(values);
        return new Choice<>(any, all);
    }

    /** {@return whether every value is accepted} */
    public boolean isAll() {
        return any.isEmpty() && none.isEmpty();
    }

    /**
     * Tests a value.
     *
     * @param value the value
     * @return whether it is accepted
     */
    public boolean fits(T value) {
        return (any.isEmpty() || any.contains(value)) && !none.contains(value);
    }

    /**
     * Tests whether a value is accepted by name.
     *
     * @param value the value
     * @return whether it is in {@code any} and not excluded; always false if {@code any} is empty
     */
    public boolean names(T value) {
        return any.contains(value) && !none.contains(value);
    }
}
