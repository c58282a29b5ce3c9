package dev.pawl.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Tells what a list holds that the lists before it did not. Counted and not by position: what was committed late may come in the
 * middle.
 *
 * @param <T> what is listed
 */
final class Unseen<T> {
    private final Function<T, Object> identity;
    private final Map<Object, Integer> seen = new HashMap<>();

    /**
     * @param identity what tells one from another; several may have the same
     */
    Unseen(Function<T, Object> identity) {
        this.identity = identity;
    }

    /** {@return what is new, in the order of the list} */
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
