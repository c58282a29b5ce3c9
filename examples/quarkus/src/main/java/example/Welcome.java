package example;

import dev.pawl.JobQueue;
import dev.pawl.api.JobType;
import dev.pawl.quarkus.JobHandler;
import io.quarkus.runtime.Startup;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

@Singleton
public class Welcome {
    record SendWelcome(String address) {}

    static final JobType<SendWelcome> SEND_WELCOME = JobType.of("welcome.send", SendWelcome.class);

    @Inject
    JobQueue queue;

    @JobHandler("welcome.send")
    void send(SendWelcome welcome) {
        System.out.println("Welcome, " + welcome.address());
    }

    @Startup
    void first() {
        queue.enqueue(SEND_WELCOME, new SendWelcome("ada@example.com"));
    }
}
