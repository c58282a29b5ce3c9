package dev.pawl.internal.engine;

/**
 * Interrupts handlers whose timeout or lease has expired, by the clock of this process and without the database, which may be unreachable.
 * Run by one thread at a time.
 */
final class LeaseWatch {
    private final HeldJobs heldJobs;
    private final Buffer buffer;
    private final Completer completer;

    LeaseWatch(HeldJobs heldJobs, Buffer buffer, Completer completer) {
        this.heldJobs = heldJobs;
        this.buffer = buffer;
        this.completer = completer;
    }

    /** Stops runs whose timeout or lease has expired. */
    void check() {
        long now = System.nanoTime();
        for (HeldJob held : heldJobs.all()) {
            if (held.isTimedOut(now)) {
                held.stop(HeldJob.Stop.TIMED_OUT);
            } else if (held.hasExpired(now)) {
                lost(held);
            }
        }
    }

    /** The lease is certainly lost. */
    void lost(HeldJob held) {
        held.stop(HeldJob.Stop.LEASE_LOST);
        forgetUnstarted(held);
    }

    /** The job's row is gone or no longer running: the lease is lost, unless this may be the effect of the job's own commit. */
    void missing(HeldJob held, long now) {
        if (held.clock().isMissing(now)) {
            lost(held);
        }
    }

    private void forgetUnstarted(HeldJob held) {
        if (buffer.drop(held)) {
            completer.forget(held);
        }
    }
}
