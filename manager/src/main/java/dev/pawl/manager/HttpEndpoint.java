package dev.pawl.manager;

import dev.pawl.internal.http.HttpHead;
import dev.pawl.internal.http.HttpListener;
import dev.pawl.internal.http.HttpReply;
import dev.pawl.internal.http.WrongCredentials;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server that reads only the head of a request until the caller has proved that it knows the secret. */
final class HttpEndpoint implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);
    private static final Map.Entry<String, String> TYPE = Map.entry("Content-Type", "application/json");
    private static final List<Map.Entry<String, String>> JSON = List.of(TYPE);
    /** Headers of an answer with status 405. Only calls about runs get this status, and they allow only POST. */
    private static final List<Map.Entry<String, String>> JSON_AND_ALLOW = List.of(TYPE, Map.entry("Allow", "POST"));

    private final HttpListener listener;

    /** Answers an authenticated call. */
    interface Route {
        Answer answer(Call call) throws Exception;
    }

    /**
     * A call.
     *
     * @param method of HTTP
     * @param path without the query
     * @param headers by their names in lower case
     * @param body all of it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Call(String method, String path, Map<String, String> headers, byte[] body) {}

    /**
     * @param status of HTTP
     * @param message as JSON; null for none
     */
    record Answer(int status, @Nullable Object message) {
        static Answer error(int status, String error) {
            return new Answer(status, Map.of("error", error));
        }

        HttpReply asReply() {
            byte[] body = message == null ? new byte[0] : Protocol.write(message);
            return new HttpReply(status, status == 204 ? List.of() : status == 405 ? JSON_AND_ALLOW : JSON, body);
        }
    }

    HttpEndpoint(InetSocketAddress address, @Nullable SSLContext tls, Secret secret, Route route) throws IOException {
        listener = new HttpListener(
                "pawl-http",
                address,
                tls,
                new Service(secret, route, new WrongCredentials(LOG, "calls with a wrong shared secret")));
    }

    private record Service(Secret secret, Route route, WrongCredentials wrong) implements HttpListener.Service {
        private boolean isKnown(HttpHead head) {
            return secret.isIn(head.header("authorization"));
        }

        @Override
        public HttpListener.Admission admit(HttpHead head) {
            boolean known = isKnown(head);
            return new HttpListener.Admission(known, known ? Protocol.MAX_BYTES : 0);
        }

        @Override
        public HttpReply answer(HttpHead head, byte[] body) throws Exception {
            if (!isKnown(head)) {
                return refuse(head, 401, "");
            }
            Answer answer;
            try {
                answer = route.answer(new Call(head.method(), head.path(), head.headers(), body));
            } catch (Protocol.Violation e) {
                answer = Answer.error(e.isTooLarge() ? 413 : 400, String.valueOf(e.getMessage()));
            }
            return answer.asReply();
        }

        /** Sends a refusal, without details if the request's head does not hold the secret. */
        @Override
        public HttpReply refuse(@Nullable HttpHead head, int status, String message) {
            if (head != null && head.header("authorization") != null && !isKnown(head)) {
                wrong.refused();
            }
            return head == null || isKnown(head)
                    ? Answer.error(status, message).asReply()
                    : Answer.error(401, "the Authorization header does not hold the shared secret")
                            .asReply();
        }
    }

    int port() {
        return listener.address().getPort();
    }

    @Override
    public void close() {
        listener.close();
    }
}
