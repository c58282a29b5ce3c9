package dev.pawl.specification.concurrent;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Searches for an order of overlapping steps that explains what each of them observed. In it, a step never comes before another one that
 * had ended before it began.
 *
 * @param <S> what the steps act on; immutable, with equals
 */
final class SomeOrder<S> {
    /**
     * Something that took effect at one moment within a span.
     *
     * @param span Long.MAX_VALUE at its end if it may not have happened at all
     * @param effect on the state; empty if it cannot have happened then
     */
    record Step<S>(Span span, Function<S, Optional<S>> effect) {}

    private record Place<S>(BitSet done, S state) {}

    private final List<Step<S>> steps;
    private final Set<Place<S>> visited = new HashSet<>();

    private SomeOrder(List<Step<S>> steps) {
        this.steps = steps;
    }

    /** {@return whether there is such an order} */
    static <S> boolean explains(List<Step<S>> steps, S start) {
        return new SomeOrder<>(steps).search(new BitSet(), start);
    }

    private boolean search(BitSet done, S state) {
        long firstEnd = Long.MAX_VALUE;
        for (int i = done.nextClearBit(0); i < steps.size(); i = done.nextClearBit(i + 1)) {
            firstEnd = Math.min(firstEnd, steps.get(i).span().to());
        }
        if (firstEnd == Long.MAX_VALUE) {
            return true; // remaining steps may have had no effect
        }
        if (!visited.add(new Place<>((BitSet) done.clone(), state))) {
            return false;
        }
        for (int i = done.nextClearBit(0); i < steps.size(); i = done.nextClearBit(i + 1)) {
            Step<S> step = steps.get(i);
            Optional<S> next = step.span().from() <= firstEnd ? step.effect().apply(state) : Optional.empty();
            if (next.isPresent()) {
                done.set(i);
                if (search(done, next.get())) {
                    return true;
                }
                done.clear(i);
            }
        }
        return false;
    }
}
