package dev.pawl.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Returns the elements of a list that earlier lists did not contain. Counts equal elements instead of comparing positions, because rows
 * that committed late may appear in the middle of a list.
 *
 * @param <T> the elements
 */
final class Deduplicated<T> {
    private final Function<T, Object> identity;
    private final Map<Object, Integer> seen = new HashMap<>();

    /** @param identity of an element; several elements may have the same identity */
    Deduplicated(Function<T, Object> identity) {
        this.identity = identity;
    }

    /** {@return the new elements, in the order of the list} */
    List<T> in(List<T> all) {
        Map<Object, Integer> counted = new HashMap<>();
        List<T> unseen = new ArrayList<>();
        for (T one : all) {
            Object same = identity.apply(one);
            int count = counted.merge(same, 1, Integer::sum);
            if (count > seen.getOrDefault(same, 0)) {
                unseen.add(one);
                seen.put(same, count);
            }
        }
        return unseen;
    }
}
