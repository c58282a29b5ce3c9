package dev.pawl.specification;

/** How a run ends. */
enum How {
    COMPLETE,
    COMPLETE_IN_TRANSACTION,
    FAIL,
    RETRY_AFTER_20S,
    SNOOZE_20S,
    SNOOZE_0,
    CANCEL,
    DISCARD,
    /** It has not begun, and is given back. */
    RELEASE
}
