package dev.pawl.internal.engine;

/**
 * Interrupts handlers whose time is over, by the clock of this process, without the database: it matters most when the
 * database is away. Run by one thread at a time.
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

    /** Stops what has run out of time or of its lease. */
    void look() {
        long now = System.nanoTime();
        for (HeldJob held : heldJobs.all()) {
            if (held.isTimedOut(now)) {
                held.stop(HeldJob.Stop.TIMED_OUT);
            } else if (held.isOver(now)) {
                lost(held);
            }
        }
    }

    /** The lease is surely lost. */
    void lost(HeldJob held) {
        held.stop(HeldJob.Stop.LEASE_LOST);
        forgetUnstarted(held);
    }

    /** The job does not run any more, unless that is the commit of its own transaction. */
    void gone(HeldJob held, long now) {
        held.gone(now);
        if (held.stopped() == HeldJob.Stop.LEASE_LOST) {
            forgetUnstarted(held);
        }
    }

    private void forgetUnstarted(HeldJob held) {
        if (buffer.drop(held)) {
            completer.forget(held);
        }
    }
}
