package dev.pawl.internal.claim;

import dev.pawl.api.Strategy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** The order in which the jobs of a window are tried. */
final class PickOrder {
    private final Strategy.Pick rule;

    public PickOrder(Strategy.Pick rule) {
        this.rule = rule;
    }

    public <T> List<T> inOrder(List<T> window) {
        return inOrder(window, ThreadLocalRandom.current());
    }

    public <T> List<T> inOrder(List<T> window, RandomGenerator random) {
        return switch (rule) {
            case FIRST -> window;
            case UNIFORM -> shuffled(window, random);
            case EXPONENTIAL -> {
                List<T> left = new ArrayList<>(window);
                List<T> order = new ArrayList<>(window.size());
                while (!left.isEmpty()) {
                    order.add(left.remove(hit(left.size(), random)));
                }
                yield order;
            }
        };
    }

    private static <T> List<T> shuffled(List<T> window, RandomGenerator random) {
        List<T> shuffled = new ArrayList<>(window);
        for (int i = shuffled.size(); i > 1; i--) {
            Collections.swap(shuffled, i - 1, random.nextInt(i));
        }
        return shuffled;
    }

    private static int hit(int size, RandomGenerator random) {
        for (int i = 0; i < size; i++) {
            if (random.nextInt(3) == 0) {
                return i;
            }
        }
        return 0;
    }
}
