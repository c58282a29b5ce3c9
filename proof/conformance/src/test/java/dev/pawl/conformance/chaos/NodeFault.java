package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.servers.Delay;
import dev.pawl.servers.cluster.Cluster;
import dev.pawl.servers.cluster.ClusterKind;
import java.time.Duration;
import java.util.Random;

/** A fault of one node, or of each node in turn, while programs work. {@link #strike} returns when the cause is gone. */
enum NodeFault {
    /** The node works half of the time. */
    SLOW {
        @Override
        void strike(ClusterKind kind, FailoverRun run, SmallDisk disk) throws Exception {
            long end = System.nanoTime() + LASTS.toNanos();
            while (System.nanoTime() - end < 0) {
                try {
                    run.cluster.halt(NODE);
                    Delay.work(HALF_PERIOD_MILLIS);
                } finally {
                    run.cluster.proceed(NODE);
                }
                Delay.work(HALF_PERIOD_MILLIS);
            }
        }
    },

    /** The node cannot reach the others, but its clients can reach it. */
    SPLIT {
        @Override
        void assume() throws Exception {
            Split.assume();
        }

        @Override
        void strike(ClusterKind kind, FailoverRun run, SmallDisk disk) throws Exception {
            Split split = new Split(run.cluster, NODE);
            try {
                Delay.quiet(LASTS.toMillis());
                assertThat(kind.isWhole(run.cluster)).isFalse();
                run.awaitCommitsOfAll(System.nanoTime());
            } finally {
                split.close();
            }
        }
    },

    FULL_DISK {
        @Override
        void strike(ClusterKind kind, FailoverRun run, SmallDisk disk) throws Exception {
            disk.fill();
            Delay.quiet(LASTS.toMillis());
            disk.free();
        }
    },

    /** All nodes are restarted in turn, and the workers too. */
    ROLLING_RESTART {
        @Override
        void strike(ClusterKind kind, FailoverRun run, SmallDisk disk) throws Exception {
            Random random = new Random();
            for (int node = 1; node <= Cluster.NODES; node++) {
                run.cluster.stop(node);
                Delay.random(random.nextInt(3_000));
                run.cluster.rejoin(node);
                kind.awaitMembers(run.cluster);
                run.restartWorker(node % FailoverRun.WORKERS);
            }
        }
    };

    /** The node to which programs connect first, or the primary. */
    static final int NODE = 1;

    private static final Duration LASTS = Duration.ofSeconds(15);
    private static final long HALF_PERIOD_MILLIS = 100;

    /** Skips the test where the fault cannot be injected. */
    void assume() throws Exception {}

    abstract void strike(ClusterKind kind, FailoverRun run, SmallDisk disk) throws Exception;
}
