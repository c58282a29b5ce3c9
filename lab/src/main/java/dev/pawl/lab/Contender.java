package dev.pawl.lab;

/** Something that enqueues jobs and drains them, to be timed. */
interface Contender {
    String name();

    /** Makes everything ready and empty; not timed. */
    void reset() throws Exception;

    /** Enqueues so many jobs with a small payload. */
    void enqueue(int jobs) throws Exception;

    /** Takes, and finishes, all of them, with a handler that does nothing. */
    void drain(int jobs) throws Exception;
}
