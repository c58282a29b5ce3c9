package dev.pawl.cli.example;

import dev.pawl.JobQueue;
import java.io.PrintWriter;
import java.util.List;

/** A program that {@code pawl example} runs. */
public interface Example {
    /** {@return all examples, in the order in which they are listed to users} */
    static List<Example> all() {
        return List.of(new NightlyReport(), new TenantMails(), new Import(), new Order(), new Approval());
    }

    /** {@return its name} */
    String name();

    /** {@return what it demonstrates, in one line} */
    String shows();

    /**
     * Runs the example.
     *
     * @param queue of an empty database
     * @param out for people to read
     * @throws Exception if it fails
     */
    void run(JobQueue queue, PrintWriter out) throws Exception;
}
