package dev.pawl.specification.concurrent;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Searches for an order of overlapping steps that explains what each of them observed. If a step ended before another step began, it also
 * comes before that step in this order.
 *
 * @param <S> what the steps act on; immutable, with equals
 */
final class SomeOrder<S> {
    /**
     * Something that took effect at one moment within a span.
     *
     * @param span ends with Long.MAX_VALUE if it is unknown whether the step happened
     * @param effect returns the state after the step; empty if the step cannot have happened in the given state
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
