package dev.pawl.internal;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a queue is made of, for the test kit, which is in another package; users do not see it. */
public final class QueueInside {
    private static volatile @Nullable Function<Object, QueueRuntime> door;

    private QueueInside() {}

    /**
     * Called once by the class of queues.
     *
     * @param newDoor tells what a queue is made of
     */
    public static void give(Function<Object, QueueRuntime> newDoor) {
        door = newDoor;
    }

    /**
     * @param queue a {@code JobQueue}
     * @return what it is made of
     */
    public static QueueRuntime of(Object queue) {
        return Objects.requireNonNull(door, "no queue was opened").apply(queue);
    }
}
