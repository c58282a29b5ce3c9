package dev.pawl.specification;

/** How a run ends. */
enum How {
    COMPLETE,
    COMPLETE_IN_TRANSACTION,
    COMPLETE_WITH_7,
    FAIL,
    RETRY_AFTER_20S,
    SNOOZE_20S,
    SNOOZE_0,
    KEY_UNAVAILABLE_1M,
    UNAVAILABLE_30S,
    CANCEL,
    DISCARD,
    /** It has not begun, and is given back. */
    RELEASE
}
