package dev.pawl.dashboard.alert;

/** Is told of alerts. */
@FunctionalInterface
public interface AlertListener {
    /**
     * Called by one thread. If it throws, it is called again with the same alert, after ten seconds at first and later every five
     * minutes, as long as the alert holds.
     *
     * @param alert what has begun or is over
     * @throws Exception if it could not be told
     */
    void tell(Alert alert) throws Exception;
}
