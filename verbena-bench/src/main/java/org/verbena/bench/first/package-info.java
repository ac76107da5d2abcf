/**
 * First programs: what a Java engineer writes first with Verbena, with default options, beside the same program on plain blocking
 * sockets. {@code ./verbena bench figures} runs them; {@code --only 'first program'} selects them.
 *
 * <table>
 * <caption>The programs</caption>
 * <tr><th>program</th><th>beside it</th><th>processes</th><th>measures</th></tr>
 * <tr><td>{@link org.verbena.bench.first.PingPong} {@code blocking}</td><td>{@link org.verbena.bench.first.TcpPingPong}</td>
 * <td>2, and a third that is busy</td><td>64 bytes there and back, each end sleeps in {@code poll(Duration)}: round trips, median,
 * 99th percentile, CPU time of both ends, packets sent again</td></tr>
 * <tr><td>{@link org.verbena.bench.first.PingPong} {@code spinning}</td><td>{@link org.verbena.bench.first.TcpPingPong}</td>
 * <td>2</td><td>the same, each end spins on {@code poll()}</td></tr>
 * <tr><td>{@link org.verbena.bench.first.KeyValue}</td><td>{@link org.verbena.bench.first.TcpKeyValue}</td><td>3</td>
 * <td>values of 64 bytes fetched by one-sided reads, two clients with 16 outstanding each; TCP pipelines 16 requests</td></tr>
 * <tr><td>{@link org.verbena.bench.first.Requests}</td><td>{@link org.verbena.bench.first.TcpRequests}</td><td>2</td>
 * <td>64 bytes asked by 200 virtual threads; they share a request channel, the server answers each request on a virtual thread; TCP
 * has a socket for each thread, and a virtual thread for each socket at both ends</td></tr>
 * <tr><td>{@link org.verbena.bench.first.FileCopy}</td><td>{@link org.verbena.bench.first.TcpFileCopy}</td><td>2</td>
 * <td>copy of a file, first and third of the process; the contents are compared once</td></tr>
 * <tr><td>{@link org.verbena.bench.first.MissingReceive}</td><td>none: TCP has no receives</td><td>2</td>
 * <td>CPU time of both ends and retries while a receive is missing at the peer, and the time until an event tells it</td></tr>
 * <tr><td>{@link org.verbena.bench.first.WriteStream}</td><td>none: a packet that TCP sends again is not told</td><td>2</td>
 * <td>packets sent again without loss while 64 KiB writes stream</td></tr>
 * </table>
 *
 * <p>Each program has a {@code main} with the {@link org.verbena.bench.first.Arguments}. Server and client meet over a TCP socket on
 * 127.0.0.1, the {@link org.verbena.bench.first.Control}: there they exchange addresses, and the client asks for the CPU time of the
 * server. The client prints its numbers, the {@link org.verbena.bench.first.Readings}, a line each; one of them tells how long the
 * program ran before it counted. A server ends when its client does. Start with {@link org.verbena.bench.first.PingPong}.
 */
@NullMarked
package org.verbena.bench.first;

import org.jspecify.annotations.NullMarked;
