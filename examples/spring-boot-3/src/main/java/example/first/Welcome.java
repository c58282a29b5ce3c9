package example.first;

import dev.pawl.JobQueue;
import dev.pawl.api.JobType;
import dev.pawl.spring.JobHandler;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class Welcome {
    record SendWelcome(String address) {}

    static final JobType<SendWelcome> SEND_WELCOME = JobType.of("welcome.send", SendWelcome.class);

    @JobHandler("welcome.send")
    void send(SendWelcome welcome) {
        System.out.println("Welcome, " + welcome.address());
    }

    @Bean
    ApplicationRunner first(JobQueue queue) {
        return arguments -> queue.enqueue(SEND_WELCOME, new SendWelcome("ada@example.com"));
    }

    public static void main(String[] arguments) {
        SpringApplication.run(Welcome.class, arguments);
    }
}
