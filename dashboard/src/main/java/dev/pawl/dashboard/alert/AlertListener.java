package dev.pawl.dashboard.alert;

/** Receives alerts. */
@FunctionalInterface
public interface AlertListener {
    /**
     * Delivers an alert. Called by one thread. If it throws, it is called again with the same alert, at first after ten seconds and later
     * every five minutes. The calls stop when the problem has ended, or, if the alert reports an end, after a day.
     *
     * @param alert that has begun or ended
     * @throws Exception if it could not be delivered
     */
    void deliver(Alert alert) throws Exception;
}
