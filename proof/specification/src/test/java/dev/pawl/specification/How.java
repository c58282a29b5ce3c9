package dev.pawl.specification;

/** How a run ends. */
public enum How {
    COMPLETE,
    COMPLETE_IN_TRANSACTION,
    COMPLETE_WITH_7,
    FAIL,
    /** Its handler cannot read the payload. */
    UNREADABLE,
    RETRY_AFTER_20S,
    SNOOZE_20S,
    SNOOZE_0,
    KEY_UNAVAILABLE_1M,
    UNAVAILABLE_30S,
    CANCEL,
    DISCARD,
    /** It has not started, and is released. */
    RELEASE;

    /** {@return whether one transaction ends the run, and another one records the outage that the run reports} */
    public boolean isOfTwo() {
        return this == KEY_UNAVAILABLE_1M || this == UNAVAILABLE_30S;
    }
}
