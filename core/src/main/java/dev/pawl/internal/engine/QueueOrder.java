package dev.pawl.internal.engine;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** The queues from which a worker claims, and their order. */
public sealed interface QueueOrder permits QueueOrder.Strict, QueueOrder.Weighted, MatchingQueues {
    /** {@return the queues known so far} */
    List<String> names();

    /** {@return the known queues; if others can become known later, a live view} */
    default Set<String> set() {
        return Set.copyOf(names());
    }

    /** {@return whether jobs of a queue may ever be claimed} */
    default boolean matches(String queue) {
        return names().contains(queue);
    }

    /** {@return whether a notification of a queue concerns the worker; if so, the queue is known from now on} */
    default boolean wants(String queue) {
        return names().contains(queue);
    }

    /**
     * Divides the wanted jobs among the queues for one round. What a queue cannot supply is taken from the others afterwards.
     *
     * @param wanted number of jobs
     * @param due reads the queues with due jobs; called only by {@link MatchingQueues}
     * @return the shares, in the order of the claims
     * @throws SQLException from the driver
     */
    List<Share> shares(int wanted, Due due) throws SQLException;

    /** The queues that have due jobs. */
    @FunctionalInterface
    interface Due {
        /**
         * {@return their names}
         *
         * @throws SQLException from the driver
         */
        Collection<String> queues() throws SQLException;
    }

    /**
     * @param queue the queue to claim from
     * @param limit maximum number of jobs
     */
    record Share(String queue, int limit) {}

    /**
     * Claims from a queue only when the ones before it are empty.
     *
     * @param names the queues, in order
     */
    record Strict(List<String> names) implements QueueOrder {
        @Override
        public List<Share> shares(int wanted, Due due) {
            return names.stream().map(name -> new Share(name, wanted)).toList();
        }
    }

    /**
     * All queues in random order, with shares by weight.
     *
     * @param weights by queue
     */
    record Weighted(Map<String, Integer> weights) implements QueueOrder {
        @Override
        public List<String> names() {
            return weights.keySet().stream().sorted().toList();
        }

        /** Draws queues by weight without replacement, so that the weights also hold over many small rounds. */
        @Override
        public List<Share> shares(int wanted, Due due) {
            List<String> left = new ArrayList<>(names());
            int sum = weights.values().stream().mapToInt(Integer::intValue).sum();
            int rest = wanted;
            List<Share> shares = new ArrayList<>();
            while (!left.isEmpty()) {
                String drawn = draw(left, sum);
                left.remove(drawn);
                int weight = weights.getOrDefault(drawn, 1);
                int share = left.isEmpty() ? rest : roundByChance((double) rest * weight / sum);
                shares.add(new Share(drawn, share));
                rest -= share;
                sum -= weight;
            }
            return shares;
        }

        /** 2.3 becomes 3 with a probability of 0.3, else 2. */
        private static int roundByChance(double share) {
            int whole = (int) share;
            return ThreadLocalRandom.current().nextDouble() < share - whole ? whole + 1 : whole;
        }

        private String draw(List<String> left, int sum) {
            int ticket = ThreadLocalRandom.current().nextInt(sum);
            for (String name : left) {
                ticket -= weights.getOrDefault(name, 1);
                if (ticket < 0) {
                    return name;
                }
            }
            return left.get(left.size() - 1);
        }
    }
}
